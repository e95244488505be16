"""The service: scores, trees and explanations over HTTP, and a page that asks for them.

    settings   what the operator says: limits, keys, hosts
    offer      which metrics a request may name: what could name a file or a model is the operator's to say
    reading    bytes in, checked values out
    admission  who may come in: so many at once, and so many of one client
    worker     one thread that runs all models, and takes what waits for the same metrics together
    joining    several requests as one corpus, and its result cut apart again
    scoring, parsing   what the worker does
    problems   every error as problem+json, with what the command line says
    guard      hosts, key, headers and the log, around everything
    app        the routes        schema   what OpenAPI says of them
    server     uvicorn, sockets, signals

The event loop moves bytes and decides who comes in. Everything of coheval that reads a text or a spec runs in the one
worker thread, so that models never run twice at once and no library's global state is shared between threads.
"""
