"""Training of coherence models: groups in, an ONNX file out."""
