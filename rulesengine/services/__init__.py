"""What touches the world: files, clocks, networks, models. The core never imports it; it is handed in."""
