import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const portico: MantineColorsTuple = [
  '#f1f2ff',
  '#e0e2ff',
  '#c0c4ff',
  '#9da3ff',
  '#7d84fc',
  '#666cf6',
  '#5458ee',
  '#4547d3',
  '#3739ae',
  '#2c2e89',
];

/** Bluer than Mantine's, to go with the accent. */
const dark: MantineColorsTuple = [
  '#e6e8ee',
  '#c3c8d4',
  '#a3abbb',
  '#7d8596',
  '#4b5262',
  '#363b48',
  '#1d2028',
  '#171a21',
  '#101218',
  '#0b0d12',
];

export const theme = createTheme({
  primaryColor: 'portico',
  colors: { portico, dark },
  primaryShade: 6,
  defaultRadius: 'md',
  fontFamily:
    'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    InputWrapper: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
});

/** Mantine's own greys are too faint for small text, and its soft colours too loud for notices. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1a1f36',
    '--mantine-color-dimmed': '#566074',
    '--mantine-color-placeholder': '#6b7385',
    '--mantine-color-error': '#c0242f',
    '--mantine-color-anchor': '#4547d3',
    '--mantine-color-default-border': '#d8dde6',
    '--mantine-color-red-light': '#fdf1f1',
    '--mantine-color-red-light-color': '#a5182b',
    '--mantine-color-yellow-light': '#fef8e7',
    '--mantine-color-yellow-light-color': '#85480a',
  },
  dark: {
    '--mantine-color-body': '#14161c',
    '--mantine-color-text': '#e6e8ee',
    '--mantine-color-dimmed': '#a3abbb',
    '--mantine-color-placeholder': '#8d95a5',
    '--mantine-color-error': '#ff8f94',
    '--mantine-color-anchor': '#a9aeff',
    '--mantine-color-default': '#1d2028',
    '--mantine-color-default-hover': '#262a34',
    '--mantine-color-default-border': '#363b48',
    '--mantine-color-red-light': '#2b171b',
    '--mantine-color-red-light-color': '#ffa3aa',
    '--mantine-color-yellow-light': '#2a2212',
    '--mantine-color-yellow-light-color': '#f5cf83',
  },
});
