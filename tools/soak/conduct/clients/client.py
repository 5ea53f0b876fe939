"""A client in Python. The words are those of client.mjs; kinds: requests-session, requests, urllib."""
import os
import sys
import threading
import time

plan = dict(word.split("=") for word in sys.argv[1:])
base = os.environ["PET_MOCK_URL"]
headers = {"Authorization": "Bearer " + os.environ["PET_MOCK_KEY"]}


def number(name):
    return int(plan.get(name, 0))


if plan["kind"] == "urllib":
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, Request, build_opener

    opener = build_opener(ProxyHandler({}))

    def send_plain(path):
        try:
            response = opener.open(Request(base + path, headers=headers))
        except HTTPError as error:
            response = error
        with response:
            response.read()
        return response.status, response.headers.get("Retry-After")

else:
    import requests

    session = requests.Session()
    session.trust_env = False
    source = session if plan["kind"] == "requests-session" else requests

    def send_plain(path):
        response = source.get(base + path, headers=headers)
        return response.status_code, response.headers.get("Retry-After")


started = time.monotonic()
refused = []


def send(path):
    """The status, and how many seconds to wait."""
    sent = time.monotonic()
    status, retry_after = send_plain(path)
    if status == 429:
        refused.append(path)
    now = time.monotonic()
    print(f"{(sent - started) * 1e3:.1f}-{(now - started) * 1e3:.1f} {status} {path}", flush=True)
    return status, int(retry_after or 0)


def path_of(index):
    return f"/pets/{index + 1}" if plan.get("calls") == "different" else "/pets"


def loop():
    for _ in range(number("accepted")):
        send("/pets")
    _, wait = send("/pets")
    end = time.monotonic() + wait
    for early in range(number("early")):
        time.sleep(number("pause") / 1000)
        status, _ = send(path_of(early))
        if status != 429:
            raise RuntimeError("the wait was over before the early calls")
    if plan.get("end") == "returns":
        time.sleep(max(0, end - time.monotonic()))
        send("/pets")


def pool():
    count = number("workers")
    # A thread takes a while to start, and the first one would be back before the last one calls.
    start = threading.Barrier(count)
    workers = [threading.Thread(target=work, args=(index, start)) for index in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def work(index, start):
    start.wait()
    for _ in range(5):
        for _ in range(5):
            status, wait = send(path_of(index))
            if status != 429:
                break
            time.sleep(wait)
        time.sleep(number("pause") * (1 + index / number("workers")) / 1000)


print("ready", flush=True)
sys.stdin.read()
{"loop": loop, "pool": pool}[plan["shape"]]()
if not refused:
    raise RuntimeError("no call was refused")
