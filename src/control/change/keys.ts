import { readClock } from '../../base/time/clock.ts'
import { banLengths, callCounts, quotas } from '../../emulator/worlds/constraints.ts'
import { startKey, type World } from '../../emulator/worlds/world.ts'
import { banEnd, forgive } from '../../service/bans/ban.ts'
import { changePlan, type Key } from '../../service/keys/key.ts'
import { rollWindow, windowNames } from '../../service/limits/window.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { showValue, unknownName } from '../files/show.ts'
import type { CommandOf, KeyCommand, WindowCounts } from './command.ts'
import { FieldReader } from './field-reader.ts'
import { type Intent, notFound, type Refused, refuseCommand } from './intent.ts'

export function changeKeys(world: World, command: KeyCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  if (command.do === 'addKey') return addKey(world, command, at)
  const key = world.keys.get(command.key)
  if (key === undefined) return notFound(unknownName('key', command.key, [...world.keys.keys()]))
  switch (command.do) {
    case 'changeKey':
      return changeKey(world, key, command, at)
    case 'deleteKey':
      return changing(key, () => world.keys.delete(key.text))
    case 'banKey':
      return banKey(world, key, command, at)
    case 'unbanKey':
      return changing(key, () => {
        key.strikes.bannedUntil = undefined
        forgive(key.strikes)
      })
  }
}

function changing(key: Key, change: () => void): Intent {
  return () => {
    change()
    return { key }
  }
}

function addKey(world: World, command: CommandOf<'addKey'>, at: number): Intent {
  const { key: text, plan } = command
  const fields = new FieldReader()
  fields.keyText('key', text)
  const planQuota = quotaOf(world, plan)
  if ('refusal' in planQuota) return planQuota
  if (world.keys.has(text)) return refuseCommand(`key: there is a key ${showValue(text)} already`)
  const used = readCounts(fields, 'used', command.used, callCounts)
  const start = {
    plan,
    quota: { ...planQuota, ...readCounts(fields, 'limits', command.limits, quotas) },
    // Calls of this minute count for this day too.
    used: { minute: 0, day: used.minute ?? 0, ...used },
    strikes: fields.count('strikes', command.strikes) ?? 0,
    bannedForMs: fields.duration('banned', command.banned, banLengths),
    revoked: command.revoked ?? false,
    expiresAt: fields.instant('expires', command.expires),
  }
  if (fields.refused !== undefined) return fields.refused
  if (start.bannedForMs !== undefined && world.scenario.behaviour.bans === undefined)
    return refuseCommand(bansAreOff)
  const key = startKey(text, start, at)
  return changing(key, () => world.keys.set(text, key))
}

function changeKey(world: World, key: Key, command: CommandOf<'changeKey'>, at: number): Intent {
  const fields = new FieldReader()
  const plan = command.plan ?? key.plan
  const isAsPlan = command.limits === null || plan !== key.plan
  const base = isAsPlan ? quotaOf(world, plan) : key.quota
  if ('refusal' in base) return base
  const quota = { ...base, ...readCounts(fields, 'limits', command.limits, quotas) }
  const used = readCounts(fields, 'used', command.used, callCounts)
  const expiresAt = fields.instant('expires', command.expires)
  const intent = changing(key, () => {
    changePlan(key, plan, quota)
    key.revoked = command.revoked ?? key.revoked
    if (command.expires !== undefined) key.expiresAt = expiresAt
    for (const name of windowNames) {
      const count = used[name]
      if (count === undefined) continue
      // The count is for the window that is open now.
      rollWindow(key.windows[name], name, at)
      key.windows[name].used = count
    }
  })
  return fields.refused ?? intent
}

const bansAreOff = 'bans: this scenario has bans off, so no key can be banned'

function banKey(world: World, key: Key, command: CommandOf<'banKey'>, at: number): Intent {
  const fields = new FieldReader()
  const { bans } = world.scenario.behaviour
  if (bans === undefined) return refuseCommand(bansAreOff)
  const length = fields.duration('for', command.for, banLengths) ?? bans.forMs
  const intent = changing(key, () => {
    key.strikes.bannedUntil = banEnd(at, length)
    key.strikes.bans += 1
  })
  return fields.refused ?? intent
}

/** Only the counts that the command gives. */
function readCounts(
  fields: FieldReader,
  field: string,
  counts: WindowCounts | null | undefined,
  constraint: typeof callCounts,
): Partial<Quota> {
  const given = windowNames.flatMap(name => {
    const count = fields.count(`${field}.${name}`, counts?.[name], constraint)
    return count === undefined ? [] : [[name, count]]
  })
  return Object.fromEntries(given)
}

function quotaOf({ scenario: { plans } }: World, plan: string): Quota | Refused {
  return plans.get(plan) ?? refuseCommand(`plan: ${unknownName('plan', plan, [...plans.keys()])}`)
}
