"""What a language model writes: claims with their quotes, in blocks, with values that code calculates."""
