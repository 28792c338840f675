"""The table without a server: answers the page's requests and socket messages on the visitor's own device.

In the browser it runs under Pyodide in a worker (``browser.py``); tests run it under CPython. Standard library only,
beside the games, engines and tables of this package: no web framework, no database, no NumPy.
"""
