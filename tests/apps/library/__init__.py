"""A library, as an application of Django."""
