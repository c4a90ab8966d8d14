"""What the agent searches with and reads from."""
