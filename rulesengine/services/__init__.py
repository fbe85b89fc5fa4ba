"""Services: the providers that touch the world, by networks, clocks and threads. The core imports none of them."""
