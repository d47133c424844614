// Filled by this room's first slice.
