"""The discourse parser `rst`, trained and measured: what it learns from, the network in torch, figures on gold."""
