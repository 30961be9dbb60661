import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { channelRewrite } from '../data/channel-address.js'
import { useSession } from '../data/session.js'
import { Page as HomePage } from '../pages/home/page.js'
import { PageLayout } from '../ui/page.js'
import { Refused } from '../ui/states.js'
import { Broken, NotFound } from './failures.js'
import { Frame } from './frame.js'
import { OpeningPage } from './opening.js'
import { type PageEntry, pages } from './pages.js'
import { Shell } from './shell.js'

/** Creates a route for each page. Pages for publishers are inside the shell. */
export function createPageRouter() {
  const root = createRootRoute()
  const inside = createRoute({
    getParentRoute: () => root,
    id: 'inside',
    component: () => (
      <Frame>
        <Shell />
      </Frame>
    ),
  })
  const routeOf = (parent: typeof root | typeof inside, page: PageEntry) =>
    createRoute({
      getParentRoute: () => parent as typeof root,
      path: page.path,
      component: guarded(page),
    })
  const routeTree = root.addChildren([
    inside.addChildren([
      ...pages.filter(({ isPublic }) => !isPublic).map((page) => routeOf(inside, page)),
      // Every other address. The navigation around it leads on.
      createRoute({ getParentRoute: () => inside, path: '$', component: NotFound }),
    ]),
    ...pages.filter(({ isPublic }) => isPublic).map((page) => routeOf(root, page)),
  ])
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    rewrite: channelRewrite,
    defaultPreload: 'intent',
    defaultPendingComponent: OpeningPage,
    defaultPendingMs: 100,
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })
}

/** Every page except Home loads when it is first opened. Home is small, and most visits begin there. */
const modules = import.meta.glob<Record<string, FunctionComponent>>([
  '../pages/*/{page,pages}.tsx',
  '!../pages/home/*',
])

function componentOf({ file, shows }: PageEntry): RouteComponent {
  const load = modules[`../pages/${file}.tsx`]
  return load ? lazyRouteComponent(load, shows ?? 'Page') : HomePage
}

/** Shows the page to users who may see it. Others get a notice that says whom to ask. */
function guarded(entry: PageEntry): RouteComponent {
  const Page = componentOf(entry)
  const { needs, title, menu } = entry
  if (!needs) return Page
  const Guarded = () =>
    useSession().may(needs) ? (
      <Page />
    ) : (
      <PageLayout title={title ?? menu?.label ?? ''}>
        <Refused />
      </PageLayout>
    )
  return Object.assign(Guarded, { preload: Page.preload })
}
