import { formatCount } from '../../../base/text/quantities.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { settleAfter } from '../../../control/scenario/settings/events.ts'
import { type Exchange, isRefused } from '../../../emulator/journal/exchange.ts'
import { replyHeader } from '../../../service/call/headers.ts'
import { readTarget } from '../../../service/call/target.ts'
import { defaultDeprecationSettings } from '../../../service/deprecation/deprecation.ts'
import { operationOf, roleOf } from '../../../service/operations/operations.ts'
import { operationAt } from '../../../service/operations/routes.ts'
import { type Quota, shippedPlans } from '../../../service/plans/plan.ts'
import { reachesApi } from '../../conduct/observed-call.ts'
import { sunsetMoments } from '../sunset.ts'

/** Something that distinguishes a situation from a good day. */
interface Trait {
  /** Whether the reply of a call shows it. */
  readonly isShownBy: (exchange: Exchange) => boolean
  /** That no call shows it, as a clause that names the missing call. */
  readonly missing: string | ((file: ScenarioFile) => string)
  /** The number of the first call that can show it, if that is known after the first call. */
  readonly beginsAt?: (file: ScenarioFile, first: Exchange) => number | undefined
}

interface DeclaredTrait extends Trait {
  readonly isIn: (file: ScenarioFile) => boolean
}

const removed: Trait = {
  isShownBy: isRemoved,
  missing: 'no call of GET /v1/pets/{petId} was made while it was removed',
}

const rejectedKey: Trait = {
  isShownBy: ({ trace: { gate } }) => gate === 'key',
  missing: 'no call had a missing, unknown, revoked or expired key',
}

/** What refuses, breaks, delays or changes replies: a client that saw nothing of it has had a good day. */
const disturbances: readonly DeclaredTrait[] = [
  {
    isIn: ({ rules }) => (rules?.length ?? 0) > 0,
    isShownBy: ({ trace }) => (trace.rules?.length ?? 0) > 0,
    missing: noRuleActed,
  },
  {
    isIn: ({ events }) => (events?.length ?? 0) > 0,
    isShownBy: ({ trace }) => (trace.events?.length ?? 0) > 0,
    missing: 'no call came after an event',
    beginsAt: firstEvent,
  },
  {
    isIn: isLimited,
    isShownBy: isRefused,
    missing: 'no call was refused by a limit or a ban',
    beginsAt: firstRefusal,
  },
  { isIn: isRemoving, ...removed },
  {
    isIn: file => file.deprecation != null && !isRemoving(file),
    isShownBy: exchange => isRemoved(exchange) || replyHeader(exchange.reply, 'sunset') !== undefined,
    missing: 'no call used the deprecated GET /v1/pets/{petId}',
  },
  {
    isIn: ({ pets }) => (pets?.gone?.length ?? 0) > 0,
    isShownBy: ({ trace: { code } }) => code === 'pet_not_found',
    missing: 'no call of GET /v1/pets/{petId} asked for a deleted pet',
  },
  {
    isIn: file => ownKey(file)?.revoked === true || ownKey(file)?.expires != null,
    ...rejectedKey,
  },
]

/** What every call about pets shows. It counts only where nothing disturbs. */
const ofPets: Trait = {
  isShownBy: ({ trace: { gate, operation } }) => gate === 'operation' && roleOf(operation) !== undefined,
  missing: 'no call read or created a pet (GET or POST /v1/pets)',
}

const secondPage: Trait = {
  isShownBy: ({ call, reply }) =>
    reply.status === 200 && /(?:^|&)cursor=./.test(readTarget(call.target).query),
  missing: 'no call of GET /v1/pets read a second page (rel="next" of the header Link)',
}

/** Situations whose file does not say what a client meets. Without traits, every call meets them. */
const declared: Readonly<Record<string, readonly Trait[]>> = {
  'after-removal': [removed],
  unauthorized: [rejectedKey],
  pagination: [secondPage],
  'large-store': [secondPage],
  orders: [
    {
      isShownBy: ({ call }) => operationAt(readTarget(call.target).path, call.method) === 'listOrders',
      missing: 'no call of GET /v1/store/orders was made',
    },
  ],
  'validation-errors': [
    {
      isShownBy: ({ reply }) => reply.status === 400,
      missing: 'no call was rejected as invalid (400), such as POST /v1/pets without a name',
    },
  ],
  // A client that no longer uses deprecated operations is ready for these days.
  ...Object.fromEntries(sunsetMoments.map(moment => [moment, []])),
}

/** What a client must see of a situation to meet it: one of these. If there are none, every call meets it. */
function traitsOf(name: string, file: ScenarioFile): readonly Trait[] {
  const own = Object.hasOwn(declared, name) ? declared[name] : undefined
  if (own !== undefined) return own
  const found = disturbances.filter(({ isIn }) => isIn(file))
  return found.length > 0 || file.pets == null ? found : [ofPets]
}

/** The calls that the rules act on, if they do not act on all. */
function noRuleActed({ rules }: ScenarioFile): string {
  const calls = (rules ?? []).map(({ match: { operation: id, method, path } = {} }) => {
    const operation = id && operationOf(id)
    const named = operation ? [operation.method, `/v1${operation.path}`] : [method, path]
    return named.filter(part => part !== undefined).join(' ')
  })
  const all = calls.every(call => call !== '') ? [...new Set(calls)].join(' or ') : ''
  return all === '' ? 'no rule acted' : `no rule acted, which needs ${all}`
}

/** The key that the client finds in its environment. It never uses the others. */
function ownKey({ key = 'demo-free', keys }: ScenarioFile) {
  return keys?.[key ?? 'demo-free']
}

/** Whether calls come near a limit or a ban. */
export function isLimited(file: ScenarioFile): boolean {
  const key = ownKey(file)
  const { minute, day } = key?.used ?? {}
  const isUsed = [minute, day, key?.strikes].some(one => Number(one ?? 0) > 0)
  const isSet = [key?.sharedUse, key?.banned, file.limits?.retryAfter].some(one => one != null)
  return isUsed || isSet || isSmaller(file) || (file.bans != null && file.bans !== 'off')
}

/** Whether the client's quota is smaller than usual on its plan. A plan of the file's own has no usual quota. */
function isSmaller(file: ScenarioFile): boolean {
  const key = ownKey(file)
  const name = key?.plan ?? 'free'
  const usual: Quota | undefined = Object.hasOwn(shippedPlans, name)
    ? shippedPlans[name as keyof typeof shippedPlans]
    : undefined
  if (usual === undefined) return false
  const { minute, day } = { ...usual, ...file.plans?.[name], ...key?.limits }
  return Number(minute) < usual.minute || Number(day) < usual.day
}

/** If all calls count in the windows of the first one. */
function firstRefusal(file: ScenarioFile, { trace: { limit } }: Exchange): number | undefined {
  if (limit === undefined || ownKey(file)?.sharedUse != null) return undefined
  const left = [limit.minute, limit.day].map(window => window.limit - window.used)
  return Math.min(...left) + 2
}

function firstEvent({ events }: ScenarioFile): number | undefined {
  const first = Math.min(...(events ?? []).map(({ after }) => callsIn(after)))
  return Number.isFinite(first) ? first + 1 : undefined
}

/** After how many calls something happens. Infinity: calls do not decide. */
export function callsIn(after: string | number | undefined): number {
  if (after === undefined) return Number.POSITIVE_INFINITY
  const settled = settleAfter(after)
  return 'calls' in settled ? settled.calls : Number.POSITIVE_INFINITY
}

/** Whether an operation is removed in a situation, for good or for a brown-out. */
function isRemoving({ clock, deprecation }: ScenarioFile): boolean {
  if ((deprecation?.brownouts?.length ?? 0) > 0) return true
  const removedAt = parseInstant(deprecation?.removedAt ?? '') ?? defaultDeprecationSettings.removedAt
  const startsAt = parseInstant(clock?.at ?? '')
  return (
    deprecation != null && deprecation.after !== 'keep' && startsAt !== undefined && startsAt >= removedAt
  )
}

function isRemoved({ trace: { code } }: Exchange): boolean {
  return code === 'endpoint_removed'
}

/** Finds out whether a client met a situation: whether a reply shows what distinguishes it from a good day. */
export function watchMeeting(name: string, file: ScenarioFile) {
  const traits = traitsOf(name, file)
  let begins: readonly (number | undefined)[] = []
  let isMet = false
  let calls = 0
  return {
    add: (exchange: Exchange): void => {
      if (!reachesApi(exchange)) return
      calls += 1
      if (calls === 1) begins = traits.map(({ beginsAt }) => beginsAt?.(file, exchange))
      isMet ||= traits.length === 0 || traits.some(({ isShownBy }) => isShownBy(exchange))
    },
    /** Why the client did not meet the situation, such as `made 1 call; this situation begins at call 4`. */
    unmet: (): string | undefined => {
      if (isMet) return undefined
      if (calls === 0) return 'made no call'
      const later = begins.flatMap(first => (first !== undefined && first > calls ? [first] : []))
      const why =
        later.length === traits.length
          ? `this situation begins at call ${Math.min(...later)}`
          : traits
              .map(({ missing }) => (typeof missing === 'string' ? missing : missing(file)))
              .join(', and ')
      return `made ${formatCount(calls, 'call')}; ${why}`
    },
  }
}
