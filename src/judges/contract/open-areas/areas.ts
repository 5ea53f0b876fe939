import { writeJson } from '../../../base/json/write.ts'
import type { CallContext } from '../../../emulator/gates/call-context.ts'
import type { AreaOperation, OpenAreas } from '../../../emulator/gates/open-areas.ts'
import { type Answer, reply } from '../../../service/call/answer.ts'
import { appliedHeader } from '../../../service/call/prefer.ts'
import { pathSegments } from '../../../service/call/target.ts'
import type { Operation } from '../prism/prism.ts'
import { readAreaRequest } from './area-request.ts'
import { answerFromCollection } from './collection.ts'
import { type Described, describeOperation } from './described-operation.ts'
import { seedOf } from './fill-in.ts'
import { type CollectionPlan, findCollections } from './find-collections.ts'
import { answerError, onlyError } from './only-errors.ts'
import { hasExample, mockReply } from './prism-mocker.ts'

/** An operation that pet-mock serves from a contract. */
export interface ServedOperation {
  readonly described: Described
  readonly source: AreaOperation['source']
  /** The collection that the operation belongs to, if any. */
  readonly plan: CollectionPlan | undefined
}

export interface ContractAreas extends OpenAreas {
  /** Every operation of the contract, in its order. */
  readonly operations: readonly Described[]
  readonly served: readonly ServedOperation[]
}

/** Serves the operations of a contract that the emulator does not have. */
export function createAreas(contract: readonly Operation[]): ContractAreas {
  const operations = contract.flatMap(operation => describeOperation(operation) ?? [])
  const plans = findCollections(operations)
  const served = operations.flatMap((described): readonly ServedOperation[] => {
    const { method, isEmulated } = described
    const plan = plans.find(({ create, list, single }) =>
      [create, list, single.get(method)].includes(described),
    )
    if (plan === undefined && isEmulated) return []
    return [{ described, plan, source: plan === undefined ? 'mocker' : 'collection' }]
  })
  // Paths without parameters come first (OpenAPI 3.1, section 4.8.8.2).
  const ordered = served.toSorted((a, b) => (templateOf(a) < templateOf(b) ? -1 : 1))
  const at = (path: string) => {
    const segments = pathSegments(path)?.slice(1) ?? []
    const matching = ordered.filter(({ described }) => matches(described.segments, segments))
    const [first] = matching
    return { segments, found: matching.filter(one => first && templateOf(one) === templateOf(first)) }
  }
  return {
    operations,
    served,
    paths: [...new Set(served.map(({ described }) => described.fullPath))],
    methods: [...new Set(served.map(({ described }) => described.method))],
    methodsAt: path => at(path).found.map(({ described }) => described.method),
    find: (path, method) => {
      const { segments, found } = at(path)
      const one = found.find(({ described }) => described.method === method)
      if (one === undefined) return undefined
      const { described, source } = one
      const { id, stability } = described
      return { id, source, stability, answer: context => answer(one, plans, context, segments) }
    },
  }
}

/** Sorts by how specific a path is: a parameter becomes the last of all characters. */
function templateOf({ described }: ServedOperation): string {
  return described.segments.map(segment => segment || '\uffff').join('/')
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((name, index) => (name === '' ? segments[index] !== '' : name === segments[index]))
  )
}

async function answer(
  { described, plan }: ServedOperation,
  plans: readonly CollectionPlan[],
  context: CallContext,
  segments: readonly string[],
): Promise<Answer> {
  const asked = context.caller.preferences?.example
  const example = asked !== undefined && hasExample(described.operation, asked) ? asked : undefined
  if (plan !== undefined && example === undefined)
    return answerFromCollection(plan, plans, described, context, segments)
  const request = await readAreaRequest(context, described, segments)
  if ('refusal' in request) return request.refusal
  const error = onlyError(described.operation)
  if (error !== undefined) return answerError(described, error)
  const seed = seedOf(context.world.scenario.seed, request.texts)
  const { status, headers, mediaType, body } = await mockReply(
    described.operation,
    request.texts,
    seed,
    example,
  )
  const applied = example === undefined ? undefined : { [appliedHeader]: `example=${example}` }
  if (body === undefined) return reply(status, '', { ...headers, ...applied })
  const isText = typeof body === 'string' && mediaType !== undefined && !/\bjson\b/i.test(mediaType)
  const text = isText ? body : writeJson(body)
  return reply(status, text, {
    ...headers,
    ...applied,
    ...(text !== '' && mediaType !== undefined && { 'Content-Type': mediaType }),
  })
}
