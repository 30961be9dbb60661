import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import { useSession } from '../data/session.js'
import { PageLayout } from '../ui/page.js'
import { Refused } from '../ui/states.js'
import { Broken, NotFound } from './failures.js'
import { Frame } from './frame.js'
import { OpeningPage } from './opening.js'
import { type PageEntry, pages } from './pages.js'
import { Shell } from './shell.js'

/** The addresses of the dashboard, from the table of pages. Those for publishers lie inside the shell. */
export function createPageRouter() {
  const root = createRootRoute({ notFoundComponent: NotFound })
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
    inside.addChildren(pages.filter(({ isPublic }) => !isPublic).map((page) => routeOf(inside, page))),
    ...pages.filter(({ isPublic }) => isPublic).map((page) => routeOf(root, page)),
  ])
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    defaultPreload: 'intent',
    defaultPendingComponent: OpeningPage,
    defaultPendingMs: 100,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

/** The page, for those who may see it; the others are told whom to ask. */
function guarded({ load, needs, title, menu }: PageEntry): RouteComponent {
  const Page = lazyRouteComponent(load, 'Page')
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
