"""Two values of JSON, leaf by leaf: what one has of the other. See `compare`."""
