"""The networks in torch, one file each. They are loaded for training only: scoring runs the ONNX file."""
