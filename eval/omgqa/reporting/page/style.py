"""How the page looks, by day and by night, on paper and on a telephone."""

STYLE = (
    """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1c2024; --soft: #5c6670; --line: #d9dde1; --wash: #f1f3f5;
  --link: #0b5cad; --yes: #17703c; --no: #a33a2b; --bar: #6aa0d8;
  --c0: #0b5cad; --c1: #b4521a; --c2: #17703c; --c3: #8a3ea8; --c4: #9a6b00; --c5: #b02a5b;
  --c6: #00727a; --c7: #5a5f00; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e4e7ea; --soft: #9aa5b0; --line: #343b42;
  --wash: #1e2327; --link: #7db8f5; --yes: #6fcf97; --no: #f0907f; --bar: #3f74ab;
  --c0: #7db8f5; --c1: #f0a36b; --c2: #6fcf97; --c3: #d19be8; --c4: #e0be5a; --c5: #f58fb3;
  --c6: #5fd0d8; --c7: #c5cc5c; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0 auto; padding: 1rem clamp(.75rem, 3vw, 2.5rem) 4rem; max-width: 100rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: var(--link); }
td a, .marks a { text-decoration: none; }
td a:hover, td a:focus, .marks a:hover, .marks a:focus { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
:target, :target th { background: var(--wash); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none;
  padding: 0; margin: .5rem 0; font-size: .9rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; }
.wide { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .85rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { white-space: nowrap; border-bottom: 2px solid var(--line); vertical-align: bottom; }
tbody th { font-weight: 500; position: sticky; left: 0; background: var(--paper); max-width: 22rem; }
.dense td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pool td:last-child { min-width: 12rem; max-width: 48rem; overflow-wrap: anywhere; }
.heard { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.n small { display: block; }
.n small, .note, .soft, figcaption { color: var(--soft); }
.note, figcaption { font-size: .85rem; margin: .25rem 0; }
.head { min-width: 9rem; }
.break { overflow-wrap: anywhere; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--link); }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
details { border-bottom: 1px solid var(--line); }
details details { margin-left: 1rem; }
summary { cursor: pointer; padding: .3rem 0; overflow-wrap: anywhere; }
summary:hover { background: var(--wash); }
details > div { padding: 0 0 1rem 1rem; scroll-margin-top: 4rem; }
blockquote { margin: .5rem 0; padding: .25rem .75rem; border-left: 3px solid var(--line); white-space: pre-wrap;
  overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; font-size: .9rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; word-spacing: .1em; }
.y { color: var(--yes); }
.x { color: var(--no); }
.marks { font-variant-numeric: tabular-nums; word-spacing: .25em; }
code { font-size: .85rem; overflow-wrap: anywhere; }
figure { margin: 1rem 0; max-width: 50rem; }
svg { display: block; overflow: visible; }
svg text { fill: var(--ink); font: .8rem system-ui, sans-serif; }
svg .faint { fill: var(--soft); }
svg .axis { stroke: var(--line); }
svg .rest { stroke: var(--soft); fill: var(--soft); opacity: .5; }
.bar { width: 5rem; height: .35rem; margin: .1rem 0 0 auto; }
.bar rect { fill: var(--bar); }
.bar line { stroke: var(--ink); }
.dot { fill: var(--c0); fill-opacity: .55; stroke: var(--c0); }
.mean { stroke: var(--c1); stroke-width: 3; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1rem; list-style: none;
  padding: 0; margin: .25rem 0; font-size: .85rem; }
.legend svg { display: inline-block; width: 1.5rem; height: .6rem; vertical-align: middle; }
"""
    + "\n".join(f".c{n} {{ stroke: var(--c{n}); fill: var(--c{n}); }}" for n in range(8))
    + """
@media (max-width: 40rem) { details details { margin-left: 0; } tbody th { max-width: 9rem; }
  details > div { padding-left: .25rem; }
  dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } th, td { padding: .2rem .35rem; } }
@media print { .skip, nav { display: none; } .wide { overflow: visible; } }
"""
)
