// Nothing to include: see UncountedCoverage.c.
