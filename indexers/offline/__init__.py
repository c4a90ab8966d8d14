"""The data graph of a whole collection, built offline as a map over its pages (HELIOS, section 4.1).

Pages are cut into shards. Each shard is parsed, and then linked, by a pure function that writes one immutable folder,
so shards may be made in any order, anywhere, and never twice. What is put together of them is searched through memory
maps.
"""
