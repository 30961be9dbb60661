import type { Catalog } from '@zoetrope/contract'
import type { Call, Feature, Run } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { createApp } from './apps/create.js'
import { rotateApp } from './apps/rotate.js'
import { createVideo } from './videos/create.js'
import { restoreVideo } from './videos/restore.js'
import { updateVideo } from './videos/update.js'

/** Who a credential belongs to, and what it is shown, may have changed with it: every caller is looked up anew. */
const thenForget =
  (run: Run): Run =>
  async (call: Call) => {
    const answer = await run(call)
    call.parts.principals.forget()
    return answer
  }

/** Every declared action must be coded here, or this does not compile. */
type Features = {
  readonly [K in keyof Catalog]: Feature & {
    readonly actions: { readonly [A in keyof Catalog[K]['actions']]: Run }
  }
}

/** The exceptions: what each resource does differently. */
export const features: Features = {
  videos: { operations: { create: createVideo, update: updateVideo }, actions: { restore: restoreVideo } },
  apps: {
    operations: {
      create: createApp,
      update: thenForget(standard.update),
      remove: thenForget(standard.remove),
    },
    actions: { rotate: rotateApp },
  },
  account: { operations: { update: thenForget(standard.update) }, actions: {} },
}
