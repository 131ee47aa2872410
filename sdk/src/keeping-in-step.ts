/**
 * How long before the mark of docs/keeping-in-step.md to ask for what has changed since: a change is seen at most this long after
 * the time that it says. As the service has it.
 */
export const lookBackSeconds = 60;
