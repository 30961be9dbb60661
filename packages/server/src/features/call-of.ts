import type { ActionBodyOf, BodyOf, Catalog, Operation } from '@zoetrope/contract'
import type { Body, Call, Run, RunAction } from '../resources/feature.js'

/** The body that the contract declares for an operation or an action of a resource. */
type DeclaredBody<K extends keyof Catalog, O> = O extends 'create' | 'update'
  ? BodyOf<Catalog[K], O>
  : O extends keyof Catalog[K]['actions']
    ? ActionBodyOf<Catalog[K], O>
    : Body

/** A call of an operation or an action, such as `CallOf<'uploads', 'create'>`. */
export type CallOf<K extends keyof Catalog, O extends Operation | keyof Catalog[K]['actions']> = Call<
  DeclaredBody<K, O>
>

/** The function that runs an operation or an action. */
export type RunOf<K extends keyof Catalog, O> = O extends keyof Catalog[K]['actions']
  ? Catalog[K]['actions'][O] extends { readonly answers: 'file' }
    ? RunAction<DeclaredBody<K, O>>
    : Run<DeclaredBody<K, O>>
  : Run<DeclaredBody<K, O>>
