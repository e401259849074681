// A room without sources yet still needs one object for its archive.
