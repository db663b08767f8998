"""Who debates, about what and how: personas, panels, agendas, documents, settings."""
