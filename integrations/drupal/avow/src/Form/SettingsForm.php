<?php

declare(strict_types=1);

namespace Drupal\avow\Form;

use Drupal\Core\Form\ConfigFormBase;
use Drupal\Core\Form\FormStateInterface;

/**
 * The settings, under Configuration → System → Avow.
 */
class SettingsForm extends ConfigFormBase {

  /**
   * {@inheritdoc}
   */
  public function getFormId(): string {
    return 'avow_settings';
  }

  /**
   * {@inheritdoc}
   */
  protected function getEditableConfigNames(): array {
    return ['avow.settings'];
  }

  /**
   * {@inheritdoc}
   */
  public function buildForm(array $form, FormStateInterface $form_state): array {
    $config = $this->config('avow.settings');
    $form['service'] = [
      '#type' => 'textfield',
      '#title' => $this->t('Address of the service'),
      '#description' => $this->t('Where your Avow runs, such as https://consent.example.'),
      '#default_value' => $config->get('service'),
      '#maxlength' => 200,
    ];
    $form['project'] = [
      '#type' => 'textfield',
      '#title' => $this->t('Project identifier'),
      '#description' => $this->t('In the snippet of the project in Avow, after data-project.'),
      '#default_value' => $config->get('project'),
      '#maxlength' => 64,
    ];
    $form['blocking'] = [
      '#type' => 'checkbox',
      '#title' => $this->t('Hold scripts, frames and pictures by the hosts of each vendor'),
      '#default_value' => $config->get('blocking'),
    ];
    return parent::buildForm($form, $form_state);
  }

  /**
   * {@inheritdoc}
   */
  public function validateForm(array &$form, FormStateInterface $form_state): void {
    $service = rtrim(preg_replace('#/widget\.js$#', '', trim((string) $form_state->getValue('service'))), '/');
    $form_state->setValue('service', $service);
    if ($service !== '' && !preg_match('#^(https://[A-Za-z0-9.-]+|http://(localhost|127\.0\.0\.1))(:\d{1,5})?(/[A-Za-z0-9._~/-]*)?$#D', $service)) {
      $form_state->setErrorByName('service', (string) $this->t('The address of the service must start with https://, such as https://consent.example.'));
    }
    if (!preg_match('/^[A-Za-z0-9_-]{0,64}$/D', (string) $form_state->getValue('project'))) {
      $form_state->setErrorByName('project', (string) $this->t('The project identifier consists of letters and digits. Copy it from the snippet in Avow, after data-project.'));
    }
    parent::validateForm($form, $form_state);
  }

  /**
   * {@inheritdoc}
   */
  public function submitForm(array &$form, FormStateInterface $form_state): void {
    $this->config('avow.settings')
      ->set('service', $form_state->getValue('service'))
      ->set('project', $form_state->getValue('project'))
      ->set('blocking', (bool) $form_state->getValue('blocking'))
      ->save();
    parent::submitForm($form, $form_state);
  }

}
