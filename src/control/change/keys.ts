import { suggest } from '../../base/text/did-you-mean.ts'
import { readClock } from '../../base/time/clock.ts'
import { banLengths, callCounts, quotas } from '../../emulator/worlds/constraints.ts'
import { startKey, type World } from '../../emulator/worlds/world.ts'
import { banEnd, forgive } from '../../service/bans/ban.ts'
import { changePlan, type Key } from '../../service/keys/key.ts'
import { rollWindow, type WindowName, windowNames } from '../../service/limits/window.ts'
import type { Quota } from '../../service/plans/plan.ts'
import { showValue } from '../files/show.ts'
import type { CommandOf, KeyCommand } from './command.ts'
import { Values } from './field-reader.ts'
import { type Intent, notFound, type Refusal, refuseCommand } from './intent.ts'

export function changeKeys(world: World, command: KeyCommand, now: number): Intent {
  const at = readClock(world.clock, now)
  if (command.do === 'addKey') return addKey(world, command, at)
  const key = world.keys.get(command.key)
  if (key === undefined) {
    const known = [...world.keys.keys()]
    return notFound(
      `no key ${showValue(command.key)} is known${suggest(command.key, known) || `; known are ${known.join(', ')}`}`,
    )
  }
  switch (command.do) {
    case 'changeKey':
      return changeKey(world, key, command, at)
    case 'deleteKey':
      return act(key, () => world.keys.delete(key.text))
    case 'banKey':
      return banKey(world, key, command, at)
    case 'unbanKey':
      return act(key, () => {
        key.strikes.bannedUntil = undefined
        forgive(key.strikes)
      })
  }
}

function act(key: Key, change: () => void): Intent {
  return {
    act: () => {
      change()
      return { key }
    },
  }
}

function addKey(world: World, command: CommandOf<'addKey'>, at: number): Intent {
  const values = new Values()
  values.keyText('key', command.key)
  const planQuota = quotaOf(world, command.plan)
  if ('refusal' in planQuota) return planQuota
  if (world.keys.has(command.key))
    return refuseCommand(`key: there is a key ${showValue(command.key)} already`)
  const minute = values.count('used.minute', command.used?.minute, callCounts) ?? 0
  const start = {
    plan: command.plan,
    quota: values.counts('limits', command.limits, planQuota.quota, quotas),
    // What was used this minute was used this day, too.
    used: { minute, day: values.count('used.day', command.used?.day, callCounts) ?? minute },
    strikes: values.count('strikes', command.strikes, callCounts) ?? 0,
    bannedForMs: values.duration('banned', command.banned, banLengths),
    revoked: command.revoked ?? false,
    expiresAt: values.instant('expires', command.expires),
  }
  if (values.problems.length > 0) return refuseCommand(...values.problems)
  if (start.bannedForMs !== undefined && world.scenario.behaviour.bans === undefined)
    return refuseCommand(bansAreOff)
  const key = startKey(command.key, start, at)
  return act(key, () => world.keys.set(key.text, key))
}

function changeKey(world: World, key: Key, command: CommandOf<'changeKey'>, at: number): Intent {
  const values = new Values()
  const plan = command.plan ?? key.plan
  const isAsPlan = command.limits === null || plan !== key.plan
  const base = isAsPlan ? quotaOf(world, plan) : { quota: key.quota }
  if ('refusal' in base) return base
  const quota = values.counts('limits', command.limits, base.quota, quotas)
  const used = {
    minute: values.count('used.minute', command.used?.minute, callCounts),
    day: values.count('used.day', command.used?.day, callCounts),
  }
  const expiresAt = values.instant('expires', command.expires)
  if (values.problems.length > 0) return refuseCommand(...values.problems)
  return act(key, () => {
    changePlan(key, plan, quota)
    key.revoked = command.revoked ?? key.revoked
    if (command.expires !== undefined) key.expiresAt = expiresAt
    for (const name of windowNames) setUsed(key, name, used[name], at)
  })
}

/** A window that is over is not the one that is spoken of. */
function setUsed({ windows }: Key, name: WindowName, used: number | undefined, at: number): void {
  if (used === undefined) return
  rollWindow(windows[name], name, at)
  windows[name].used = used
}

const bansAreOff = 'bans: they are off in this scenario, so nobody can be banned'

function banKey(world: World, key: Key, command: CommandOf<'banKey'>, at: number): Intent {
  const values = new Values()
  const { bans } = world.scenario.behaviour
  if (bans === undefined) return refuseCommand(bansAreOff)
  const length = values.duration('for', command.for, banLengths) ?? bans.forMs
  if (values.problems.length > 0) return refuseCommand(...values.problems)
  return act(key, () => {
    key.strikes.bannedUntil = banEnd(at, length)
    key.strikes.bans += 1
  })
}

function quotaOf(world: World, plan: string): { readonly quota: Quota } | { readonly refusal: Refusal } {
  const { plans } = world.scenario
  const quota = plans.get(plan)
  if (quota !== undefined) return { quota }
  const known = [...plans.keys()]
  const hint = suggest(plan, known) || `; known are ${known.join(', ')}`
  return refuseCommand(`plan: no plan ${showValue(plan)} is known${hint}`)
}
