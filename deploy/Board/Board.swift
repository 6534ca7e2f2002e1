// A target needs a source file. This one has no code: building the target builds the programs of a board.
