"""Training and judging the router: requests, folds without leaks, weights, figures."""
