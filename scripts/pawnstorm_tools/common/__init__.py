"""Modules that several packages of pawnstorm_tools share."""
