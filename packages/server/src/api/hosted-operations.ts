/** One operation of the hosted service that existing apps, plugins and scripts were written for. */
export interface HostedOperation {
  readonly module: string
  /** 1: what every app needs, 2: what many use, 3: the rest. */
  readonly tier: number
  readonly method: string
  /** With a name in braces where an id stands. */
  readonly path: string
}

/** The verbs of each path. `all` is the five operations of a collection and its records, `read` only lists and gets. */
const table = `
# OAuth
1 POST /oauth/token
1 GET /oauth/token/info
1 POST /oauth/revoke
2 GET /.well-known/oauth-authorization-server
3 POST /oauth/introspect
3 GET /oauth/authorize
# Videos
1 all /videos
1 PUT /videos/{id}/add_zobjects
1 PUT /videos/{id}/remove_zobjects
1 GET /videos/{id}/download
1 GET /videos/{id}/video_sources
1 POST /videos/self_hosted
1 GET,POST /videos/{video_id}/self_hosted
1 GET,PUT,DELETE /videos/{video_id}/self_hosted/{data_source_id}
2 GET /videos/{id}/ad_timings
2 GET,POST /videos/{id}/data_sources/{data_source_id}/ad_timings
2 GET,PUT,DELETE /videos/{id}/data_sources/{data_source_id}/ad_timings/{ad_timing_id}
3 POST /videos/ai_metadata/suggestions
3 POST /videos/{id}/ai_metadata/suggestions
3 GET /videos/{id}/ai_metadata/suggestions/{session_id}
3 POST /videos/{id}/ai_metadata/suggestions/{session_id}/apply
3 GET /videos/{id}/transcriptions
3 GET /videos/{id}/transcriptions/{transcription_id}
3 POST /videos/{id}/transcriptions/transcribe
3 POST /videos/{id}/transcriptions/translate
3 GET /videos/{id}/transcriptions/translation_languages
1 all /videos/{video_id}/subtitles
1 POST /videos/{video_id}/subtitle_playlists
1 DELETE /videos/{video_id}/subtitle_playlists/{language}
2 all /videos/{video_id}/segments
# Library organisation
1 all /playlists
1 GET /playlists/{id}/videos
1 GET /playlists/{id}/videos/relative
1 PUT /playlists/{id}/add_videos
1 PUT /playlists/{id}/remove_videos
1 GET /playlists/relationships
1 all /categories
# Ingest
1 POST,GET /uploads
1 GET,PUT /uploads/{id}
1 GET,POST /video_imports
1 GET /video_imports/{id}
1 PUT /video_imports/{id}/add_video
1 all /video_sources
# Playback
1 GET /embed/{video_id}.{format}
2 GET /playlists/{playlist_id}/carousel.{format}
1 GET /manifest/{id}.m3u8
1 GET /manifest/live/{id}
3 GET /videos/{id}/player
1 GET /app
2 read /devices
2 read /device_categories
2 GET /geoip
# Consumers
1 all /consumers
1 PUT /consumers/forgot_password
1 PUT /consumers/reset_password
2 PUT /consumers/{id}/reset_parental_access_code
1 GET /pin/status
1 POST /pin/acquire
1 PUT /pin/link
1 PUT /pin/unlink
1 GET /videos/{video_id}/entitled
1 GET /consumer/videos
1 GET /consumer/playlists
1 all /consumers/{consumer_id}/videos
1 all /consumers/{consumer_id}/playlists
1 GET /consumers/{consumer_id}/subscription_entitlements
1 GET,POST /consumers/{consumer_id}/video_favorites
1 DELETE /consumers/{consumer_id}/video_favorites/{favorite_id}
2 GET,POST /consumers/{consumer_id}/video_ratings
3 POST /consumers/{id}/cards
3 GET /consumers/{id}/stripe
3 GET /consumers/{id}/braintree
# Monetisation
2 all /plans
2 PUT /plans/{id}/add_playlists
2 PUT /plans/{id}/remove_playlists
2 read /pass_plans
2 all /subscriptions
2 PUT /subscriptions/{id}/cancel
2 PUT /subscriptions/{id}/reactivate
2 all /transactions
2 GET,POST /redemption_codes
2 GET,PUT,DELETE /redemption_codes/{id_or_code}
2 POST /redemption_codes/redeem
2 POST /redemption_codes/bulk_create
2 all /ad_tags
2 read /revenue_models
3 POST /v1/{platform}
3 POST /v1/{platform}/transactions
# Zobjects
2 all /zobject_types
2 all /zobjects
2 PUT /zobjects/{id}/add_videos
2 PUT /zobjects/{id}/remove_videos
2 GET /zobjects/{id}/videos
2 PUT /zobjects/{id}/add_playlists
2 PUT /zobjects/{id}/remove_playlists
2 GET /zobjects/{id}/playlists
3 POST /zobjects/import
# Content rules
2 all /videos/{video_id}/content_rules
2 all /playlists/{playlist_id}/content_rules
2 all /categories/{category_id}/content_rules
2 all /v3/content_rule_profiles
3 GET /v3/content_rule_profiles/states_for_country
3 GET /v3/content_rule_profiles/cities_for_state
3 all /v3/content_rule_groups
3 read /v3/global_content_rule_groups
3 all /v3/content_regions
3 read /v3/global_content_regions
# Live
2 all /live_events
2 PUT /live_events/{id}/start
2 PUT /live_events/{id}/stop
2 PUT /live_events/{id}/archive
3 all /v3/live/encoders
3 POST /v3/live/encoders/{id}/start
3 POST /v3/live/encoders/{id}/stop
3 POST /v3/live/encoders/{id}/sync_encoder
3 GET /live/encoders
3 GET /live/encoders/{encoder_name}
3 POST /live/encoders/{encoder_name}/start
3 POST /live/encoders/{encoder_name}/stop
3 GET /live/encoders/{encoder_name}/target_rtmp
3 GET /live/encoders/{encoder_name}/target_rtmp/{target_rtmp_name}
2 all /program_guides
2 GET /program_guides/{id}/entries
# Account
2 GET,POST /site/users
2 GET,PUT /site/users/{id}
2 PUT /site/users/{id}/remove
2 GET /account
3 read /distribution_endpoints
# Analytics
2 GET /v3/engagement/plays
2 GET /v3/engagement/viewers
2 GET /v3/engagement/hours_watched
2 GET /v3/engagement/view_time
2 GET /v3/platform_dynamics/consumers
2 GET /v3/platform_dynamics/metrics
2 GET /v3/platform_dynamics/player_requests
2 GET /v3/platform_dynamics/stream_hours
3 GET /v3/platform_dynamics/playout_hours
2 GET /v3/revenue/subscriptions
2 GET /v3/revenue/subscription_events
2 GET /v3/revenue/subscription_revenue
2 GET /v3/revenue/transactions
3 GET /v2/stream_hours
3 GET /v2/player_requests
3 GET /v2/engagement
3 GET /v2/site_counts
3 GET /v2/consumers
3 GET /v2/subscriptions
3 GET /v2/subscription_events
3 GET /v2/subscription_revenue
3 GET /v2/transactons
3 GET /v1/stream_hours
# TV Everywhere
3 POST /adobe/device
3 POST /adobe/authn
3 POST /adobe/validate
3 POST /adobe/preauthorize
3 POST /adobe/media_token
3 DELETE /adobe/logout
# Playout scheduler
3 all /scheduler/v1/channels
3 POST /scheduler/v1/channels/{id}/stop
3 POST /scheduler/v1/channels/{id}/graphics_sync
3 all /scheduler/v1/profiles/hls
3 POST /scheduler/v1/profiles/hls/{id}/duplicate
3 all /scheduler/v1/profiles/udp
3 POST /scheduler/v1/profiles/udp/{id}/duplicate
3 all /scheduler/v1/profiles/rtmp
3 POST /scheduler/v1/profiles/rtmp/{id}/duplicate
3 read /scheduler/v1/types
3 GET,POST /scheduler/v1/channels/{id}/destinations
3 GET,PUT,DELETE /scheduler/v1/channels/{id}/destinations/{destinationId}
3 GET /scheduler/v1/channels/{id}/draft
3 GET /scheduler/v1/channels/{id}/draft/items/{itemId}/graphics
3 GET /scheduler/v1/channels/{id}/draft/rundown
3 POST /scheduler/v1/channels/{id}/draft/publish
3 GET,POST,DELETE /scheduler/v1/channels/{id}/draft/operations
3 GET /scheduler/v1/channels/{id}/draft/operations/{operationId}
3 POST /scheduler/v1/channels/{id}/draft/operations/{operationId}/revert
3 GET /scheduler/v1/channels/{id}/published
3 all /scheduler/v2/assets/blocks
3 read /scheduler/v2/assets/ads
3 read /scheduler/v2/assets/bumpers
3 read /scheduler/v2/assets/videos
3 read /scheduler/v2/assets/playlists
3 GET,POST,DELETE /scheduler/v2/assets/ad_timings
3 PUT,DELETE /scheduler/v2/assets/ad_timings/{id}
3 GET,POST /scheduler/v2/assets/{channelId}/live_streams
3 PUT,DELETE /scheduler/v2/assets/{channelId}/live_streams/{id}
3 all /scheduler/v2/assets/graphics
3 POST /scheduler/v2/uploads
3 GET /scheduler/v2/uploads/{id}
3 GET /scheduler/v1/channels/{id}/published/rundown
3 GET /scheduler/v1/channels/{id}/published/rundown/xmltv.xml
3 GET /scheduler/v2/channels/{id}/epg/vizio
3 GET /scheduler/v2/channels/{id}/epg/tcl
3 GET /scheduler/v2/channels/{id}/epg/wurl
3 GET /scheduler/v2/channels/{id}/epg/roku
3 all /scheduler/v2/recurrence_rules
`

const shorthands: Readonly<Record<string, { readonly collection: string; readonly record: string }>> = {
  all: { collection: 'GET,POST', record: 'GET,PUT,DELETE' },
  read: { collection: 'GET', record: 'GET' },
}

/** All of them, whether offered here or not. */
export const hostedOperations: readonly HostedOperation[] = table
  .trim()
  .split('# ')
  .slice(1)
  .flatMap((section) => {
    const [module = '', ...lines] = section.trim().split('\n')
    return lines.flatMap((line) => {
      const [tier, verbs = '', path = ''] = line.split(' ')
      const { collection = verbs, record = '' } = shorthands[verbs] ?? {}
      const at = (methods: string, place: string) =>
        methods.split(',').map((method) => ({ module, tier: Number(tier), method, path: place }))
      return [...at(collection, path), ...(record ? at(record, `${path}/{id}`) : [])]
    })
  })
