"""What people and programs talk to over HTTP: the chat page, and the API that OpenAI's clients speak."""
