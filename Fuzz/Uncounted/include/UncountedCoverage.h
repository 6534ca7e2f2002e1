// This header is empty on purpose; see UncountedCoverage.c.
