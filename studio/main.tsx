/**
 * @module The start of Studio.
 */
import './style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode>Studio</StrictMode>);
