import type { LoggedRequest } from '@zoetrope/contract'
import { queryOf } from '../api/brackets.js'
import { isStorableText } from '../lib/clean.js'
import type { EndpointResult, InChannel, Unwritten } from './request.js'

const perPage = 100

/** A filter in the query; anything but plain text is ignored. */
function filterIn({ request }: InChannel, name: string): string | null {
  const value = queryOf(request)[name]
  return typeof value === 'string' && value !== '' && isStorableText(value) ? value.slice(0, 300) : null
}

/** 404, or 4xx for all statuses that begin with 4. */
function statusesIn(visit: InChannel): readonly [number, number] {
  const status = filterIn(visit, 'status') ?? ''
  if (/^[1-5]xx$/i.test(status)) return [Number(status[0]) * 100, Number(status[0]) * 100 + 99]
  return /^\d{3}$/.test(status) ? [Number(status), Number(status)] : [0, 999]
}

/** The requests of apps and scripts, newest first, with the kind of credential or the name of the key; `before` continues after the last one of a page. */
export async function listRequests(visit: InChannel): Promise<EndpointResult<readonly LoggedRequest[]>> {
  const { parts, siteId } = visit
  const [least, most] = statusesIn(visit)
  const [method, path, credential, before] = ['method', 'path', 'credential', 'before'].map((name) =>
    filterIn(visit, name),
  )
  const body = await parts.database.db<Unwritten<LoggedRequest>[]>`
    select _id, created_at, method, path, status, ms, request_id, coalesce((
        select name from named_keys as key where key.site_id = request_log.site_id and key._id = split_part(credential, ' ', 2)
      ), split_part(credential, ' ', 1)) as credential
    from request_log
    where site_id = ${siteId} and status between ${least} and ${most}
      and (${method ?? null}::text is null or method = upper(${method ?? null}))
      and (${path ?? null}::text is null or position(${path ?? null} in path) > 0)
      and (${credential ?? null}::text is null or split_part(credential, ' ', 1) = ${credential ?? null})
      and (${before ?? null}::text is null or _id < ${before ?? null})
    order by _id desc limit ${perPage}
  `
  return { body }
}
