"""The engine's interfaces: UCI, UGI, CodinGame's protocol, a terminal, and the Two Flags course's protocol (protocol/*.md)."""
