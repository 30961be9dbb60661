# What a reader of the documentation has: curl, npm, npx and a shell. The tests run the commands of a page with it.
set -eo pipefail

# Notes the line and the status of each request. A stream is read until its first bytes.
curl() {
  local line=${BASH_LINENO[0]} code=0
  if [ "$1" = -N ]; then
    command curl -sf "$@" > "$STREAM_FILE" & local stream=$!
    until [ -s "$STREAM_FILE" ]; do kill -0 $stream; sleep 0.1; done
    kill $stream; wait $stream || true
    echo "$line 200" >> "$STATUS_FILE"
    return
  fi
  command curl -s -w "%{stderr}$line %{http_code}\n" "$@" 2>> "$STATUS_FILE" || code=$?
  echo
  return $code
}

# `npm ci` and the checks are what runs this. `npm start` returns when the server is ready, as in a second terminal.
npm() {
  case $1 in
    start) start_server ;;
    ci | test | run) ;;
    *) echo "npm $1 is not tried here"; return 1 ;;
  esac
}

# What the viewer does in a browser: opens the page of the app, and signs in. Prints the code that the app gets.
code_from() {
  local sealed
  sealed=$(command curl -s "$1" | sed -n 's/.*name="sealed" value="\([^"]*\)".*/\1/p')
  command curl -s -o /dev/null -w '%{redirect_url}' "${1%%\?*}" -d "sealed=$sealed" \
    -d email=mary@example.com -d password=lantern-over-the-pier | sed 's/.*[?&]code=\([^&]*\).*/\1/'
}

npx() { "$@"; }

zoetrope() {
  case $1 in
    start) start_server ;;
    worker) start_worker ;;
    # The guides say to stop the server first.
    database) stop_server; node "$ZOETROPE" "$@" ;;
    *) node "$ZOETROPE" "$@" ;;
  esac
}

start_server() {
  stop_server
  node "$ZOETROPE" start > server.log 2>&1 & server=$!
  until command curl -sf -o ready.json "http://127.0.0.1:${PORT}/readyz"; do
    kill -0 $server || { cat server.log; return 1; }
    sleep 0.2
  done
}

stop_server() {
  if [ -n "$server" ]; then kill $server && wait $server || true; fi
  server=
}

# A worker joins the server of its settings.
start_worker() {
  start_server
  # The log of a worker before it would say that this one is running.
  : > worker.log
  node "$ZOETROPE" worker > worker.log 2>&1 & local worker=$!
  until grep -q 'a worker is running' worker.log; do
    kill -0 $worker || { cat worker.log; return 1; }
    sleep 0.2
  done
  kill $worker; wait $worker
}

trap stop_server EXIT
