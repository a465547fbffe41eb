"""A game that reports its state to a sidecar: python3 game.py http://127.0.0.1:7790"""
import json
import sys
import time
import urllib.request


def report(url, players):
    """Reports the whole state. The sidecar answers all queries with it."""
    state = {
        "name": "Duel",
        "map": "harbor",
        "port": 25600,
        "max": 16,
        "roster": [{"name": name, "score": score} for name, score in players.items()],
    }
    request = urllib.request.Request(url + "/v1/state", json.dumps(state).encode(), method="PUT")
    try:
        urllib.request.urlopen(request, timeout=2).close()
    except OSError as error:  # the game goes on, and reports again
        print("not reported:", error, file=sys.stderr)


players = {'Ann "Fox"': 3}
report(sys.argv[1], players)
time.sleep(1)
players["Bob"] = 0
report(sys.argv[1], players)
time.sleep(1)
del players['Ann "Fox"']
report(sys.argv[1], players)
time.sleep(1)
