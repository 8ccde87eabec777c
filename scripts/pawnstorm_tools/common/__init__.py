"""What several of the packages here share."""
