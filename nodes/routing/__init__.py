"""The trained part of the router: what a request looks like, what it means, and eight labels learned from both.

    excerpt -> embedding  \\
                           > features -> classifier (artefact) -> fits -> parts
    signals, cues, surface /

Everything here is pure and bounded: no model call, a fixed number of characters read of any text. Training lives in
`evals.routing`; what it learned is one file, `router.npz`, that `artefact` reads and checks.
"""
