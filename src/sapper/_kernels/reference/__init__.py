"""The reference half of the kernels: readable Python with exact integers, the oracle of the tests, and what runs where there is no library."""
