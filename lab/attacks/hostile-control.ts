/** The control of `npm run lab -- hostile`: a server that refuses every request at once, without reading its body. */
import { createServer } from 'node:http'

createServer(({ url }, response) => {
  response.writeHead(url === '/ready' ? 200 : 401, { connection: 'close' }).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
