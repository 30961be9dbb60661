import { ListPage } from '../../ui/record-pages/list-page.js'
import { subscriptions } from './kind.js'

export const Page = () => <ListPage kind={subscriptions} />
