"""The inputs of a game in time: clock, history, undo, help that was had, saving and loading."""
