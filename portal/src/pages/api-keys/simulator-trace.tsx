import { type Simulation, type SimulationTrace, scopes } from '@portico/sdk/portal';
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { sentence } from '../../ui/error-text.ts';
import { simulatorWords as words } from '../../words/simulator.ts';
import classes from './simulator.module.css';

type Step = SimulationTrace['steps'][number];
type Outcome = 'good' | 'bad' | 'open';

const icons = { good: IconCircleCheck, bad: IconCircleX, open: IconCircleMinus };

const nameOf = (step: string): string => {
  const names: Record<string, string> = {
    route: words.route,
    status: words.status,
    ip: words.ip,
    scope: words.scope,
  };
  return names[step] ?? step;
};

/** The service names the scope in its message alone. */
const scopeIn = (message: string) => Object.keys(scopes).find((scope) => message.includes(scope));

function whyPassed({ step, message }: Step, { method, path, ip }: Simulation): string | undefined {
  const scope = scopeIn(message);
  const texts: Record<string, string> = {
    route: words.routeFound(`${method} ${path}`),
    status: words.active,
    ip: words.addressTaken(ip),
    scope: scope === undefined ? words.scopeAny : words.scopeHeld(scope),
  };
  return texts[step];
}

function whyRefused({ code, message }: Step, { method, ip }: Simulation): string | undefined {
  const scope = scopeIn(message);
  const texts: Record<string, string> = {
    '4041': words.routeUnknown,
    '4050': words.methodUnknown(method),
    '4015': words.inactive,
    '4016': words.expired,
    '4032': words.addressRefused(ip),
    '4031': scope === undefined ? words.scopeNone : words.scopeMissing(scope),
  };
  return texts[code ?? ''];
}

/** No scope is wanted of a call that leads nowhere: nothing to be glad of. */
function outcomeOf({ step, passed }: Step, hasRoute: boolean): Outcome {
  if (step === 'scope' && !hasRoute) return 'open';
  return passed ? 'good' : 'bad';
}

function whyOf(step: Step, outcome: Outcome, call: Simulation): string {
  if (outcome === 'open') return words.scopeOpen;
  const known = outcome === 'good' ? whyPassed(step, call) : whyRefused(step, call);
  return known ?? sentence(step.message);
}

/** Every check of a simulated call, and why it ended as it did. */
export function SimulatorTrace({ trace, call }: { trace: SimulationTrace; call: Simulation }) {
  const hasRoute = trace.steps.find(({ step }) => step === 'route')?.passed !== false;
  return (
    <>
      <p className={classes['verdict']} data-outcome={trace.allowed ? 'good' : 'bad'}>
        {trace.allowed ? words.passes : words.refused(trace.code ?? '')}
      </p>
      <ol className={classes['steps']} aria-label={words.checks}>
        {trace.steps.map((step) => {
          const outcome = outcomeOf(step, hasRoute);
          const Icon = icons[outcome];
          return (
            <li key={step.step} className={classes['step']} data-outcome={outcome}>
              <Icon size={20} role="img" aria-label={words[outcome]} />
              <span className={classes['name']}>{nameOf(step.step)}</span>
              <span className={classes['why']}>
                {whyOf(step, outcome, call)}
                {step.code === null ? null : <code className={classes['code']}>{step.code}</code>}
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
