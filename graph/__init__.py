"""The machine: state, wiring, records, engine, command line. Imports `nodes`; never `evals`."""
