/** For scale: the obvious first implementation. Express, one query per request, rows to JSON; no count, no cache. */
import express from 'express'
import postgres from 'postgres'

const [host = '', siteId = '', port = ''] = process.argv.slice(2)
const sql = postgres({ host, port: 5432, database: 'zoetrope', username: 'zoetrope', max: 10 })
const app = express()

app.get('/videos', async (request, response) => {
  const page = Number(request.query.page ?? 0)
  const rows = await sql`
    select * from videos where site_id = ${siteId} and active and deleted_at is null
    order by created_at desc, _id desc limit 10 offset ${page * 10}
  `
  response.json({ response: rows, pagination: { current: page, per_page: 10 } })
})

app.listen(Number(port), '127.0.0.1')
