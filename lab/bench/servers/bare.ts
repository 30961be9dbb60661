/** The yardstick: node:http and nothing else, sending the bytes of one list. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file = '', port = ''] = process.argv.slice(2)
const body = readFileSync(file)
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
