import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './app/theme.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { styleNonce } from './app/style-nonce.ts';
import { startLocale } from './session/locale.ts';
import { startTimeZone } from './session/time-zone.ts';
import { startStaying } from './ui/use-stay.ts';

// For the style that keeps the page from scrolling behind a dialog.
setNonce(styleNonce());

startLocale();
startTimeZone();
startStaying();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
