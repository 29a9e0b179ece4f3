"""The native half of the kernels: declarations of the C library, and what calls it. The C sources lie beside it."""
