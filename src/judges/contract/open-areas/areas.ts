import { writeJson } from '../../../base/json/write.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { AreaOperation, OpenAreas } from '../../../emulator/gates/open-areas.ts'
import { reply } from '../../../service/call/answer.ts'
import { pathSegments } from '../../../service/call/target.ts'
import { type Described, describe, writtenPath } from '../description/described-operation.ts'
import type { Operation } from '../prism/prism.ts'
import { readAreaRequest } from './area-request.ts'
import { answerFromCollection } from './collection.ts'
import { seedOf } from './fill-in.ts'
import { type CollectionPlan, findCollections } from './find-collections.ts'
import { mockReply } from './prism-mocker.ts'

/** An operation of a contract that is served, and the collection that it is a part of, if it is. */
interface Served {
  readonly described: Described
  readonly plan: CollectionPlan | undefined
}

/** The open areas of a contract, with what there is to tell of them. */
export interface ContractAreas extends OpenAreas {
  /** Every operation of the contract, in its order. */
  readonly operations: readonly Described[]
  /** What is served of them, and how. */
  readonly served: readonly { readonly described: Described; readonly source: AreaOperation['source'] }[]
}

/** Serves what the operations of a contract add to those that are emulated. */
export function createAreas(operations: readonly Operation[]): ContractAreas {
  const described = operations.flatMap(operation => describe(operation) ?? [])
  const plans = findCollections(described)
  const served = described.flatMap((one): readonly Served[] => {
    const plan = plans.find(
      ({ create, list, single }) => create === one || list === one || single.get(one.method) === one,
    )
    return plan === undefined && one.isEmulated ? [] : [{ described: one, plan }]
  })
  // A path without parameters goes before one with some (OpenAPI 3.1, section 4.8.8.2).
  const ordered = served.toSorted((a, b) => (templateOf(a) < templateOf(b) ? -1 : 1))
  const at = (path: string) => {
    const segments = pathSegments(path)?.slice(1)
    if (segments === undefined) return { segments: [], found: [] }
    const fitting = ordered.filter(({ described }) => fits(described.segments, segments))
    const [nearest] = fitting
    return { segments, found: fitting.filter(one => nearest && templateOf(one) === templateOf(nearest)) }
  }
  return {
    operations: described,
    served: served.map(({ described, plan }) => ({ described, source: sourceOf(plan) })),
    paths: [...new Set(served.map(({ described }) => described.shown))],
    methods: [...new Set(served.map(({ described }) => described.method))],
    methodsAt: path => at(path).found.map(({ described }) => described.method),
    find: (path, method) => {
      const { segments, found } = at(path)
      const one = found.find(({ described }) => described.method === method)
      return one && operationOf(one, segments)
    },
  }
}

/** Comes before that of a template that is less particular: a parameter is written as the last of all characters. */
function templateOf({ described }: Served): string {
  return described.segments.map(segment => segment || '\uffff').join('/')
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((name, index) => (name === '' ? segments[index] !== '' : name === segments[index]))
  )
}

function sourceOf(plan: CollectionPlan | undefined): AreaOperation['source'] {
  return plan === undefined ? 'mocker' : 'collection'
}

function operationOf({ described, plan }: Served, segments: readonly string[]): AreaOperation {
  return {
    id: described.id,
    source: sourceOf(plan),
    stability: described.stability,
    answer: context =>
      plan === undefined
        ? mock(described, context, segments)
        : answerFromCollection(plan, described, context, segments),
  }
}

async function mock(described: Described, context: CallContext, segments: readonly string[]) {
  const { operation } = described
  const request = await readAreaRequest(context, operation, writtenPath(described, segments))
  if ('refusal' in request) return request.refusal
  const seed = seedOf(context.world.scenario.seed, request.texts)
  const { status, headers, mediaType, body } = await mockReply(operation, request.texts, seed)
  const isText = typeof body === 'string' && mediaType !== undefined && !/\bjson\b/i.test(mediaType)
  const text = body === undefined ? '' : isText ? body : writeJson(body)
  return reply(status, text, {
    ...headers,
    ...(text !== '' && mediaType !== undefined && { 'Content-Type': mediaType }),
  })
}
