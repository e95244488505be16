"""The service: scores, trees and explanations over HTTP, and a page that asks for them.

    settings   what the operator says: limits, keys, hosts
    offer      which metrics a request may name: what could name a file or a model is the operator's to say
    reading    bytes in, checked values out
    admission  who may come in: so many at once, and so many of one client
    worker     one thread that gives an engine all work, and takes what waits for the same metrics together
    apart      the engine in a process of its own, with a deadline for each batch
    engine     all models, and what they answer: scoring, parsing
    joining    several requests as one corpus, and its result cut apart again
    problems   every error as problem+json, with what the command line says
    guard      hosts, key, headers and the log, around everything      log   what the operator reads
    app        the routes        schema   what OpenAPI says of them
    server     uvicorn, sockets, signals      connection   deadlines of single connections

The event loop moves bytes and decides who comes in. Everything of coheval that reads a text or a request's spec runs in
the engine's process, batch after batch, so that models never run twice at once, no library's global state is shared
between threads, and whatever takes too long, grows or dies is ended there without ending the service.
"""
